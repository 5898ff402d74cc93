//===--- Durations.cpp ----------------------------------------------------===//

#include "Durations.h"
#include "Coroutines.h"
#include "clang/AST/APValue.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace clang;

namespace async_tidy {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static const ClassTemplateSpecializationDecl *specialization(QualType T) {
  if (T.isNull())
    return nullptr;
  return dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.getNonReferenceType()->getAsCXXRecordDecl());
}

/// The ratio that the class template instance \p T stands for, e.g. 1/1000.
static std::optional<double> ratioOf(QualType T) {
  const auto *Spec = specialization(T);
  if (!Spec || Spec->getTemplateArgs().size() != 2)
    return std::nullopt;
  double Part[2];
  for (unsigned I = 0; I < 2; ++I) {
    const TemplateArgument &Arg = Spec->getTemplateArgs()[I];
    if (Arg.getKind() != TemplateArgument::Integral)
      return std::nullopt;
    Part[I] = static_cast<double>(Arg.getAsIntegral().getExtValue());
  }
  if (Part[1] == 0)
    return std::nullopt;
  return Part[0] / Part[1];
}

namespace {
struct DurationShape {
  QualType Rep;
  double Unit; ///< nanoseconds
};
} // namespace

static std::optional<DurationShape> durationShape(QualType T) {
  const auto *Spec = specialization(T);
  if (!Spec || Spec->getTemplateArgs().size() != 2)
    return std::nullopt;
  const TemplateArgument &Rep = Spec->getTemplateArgs()[0];
  const TemplateArgument &Period = Spec->getTemplateArgs()[1];
  if (Rep.getKind() != TemplateArgument::Type ||
      Period.getKind() != TemplateArgument::Type ||
      !Rep.getAsType()->isArithmeticType())
    return std::nullopt;
  std::optional<double> Ratio = ratioOf(Period.getAsType());
  if (!Ratio)
    return std::nullopt;
  return DurationShape{Rep.getAsType(), *Ratio * 1e9};
}

bool isDurationType(QualType T) { return durationShape(T).has_value(); }

bool isTimePointType(QualType T) {
  const auto *Spec = specialization(T);
  if (!Spec || Spec->getTemplateArgs().size() != 2)
    return false;
  const TemplateArgument &Clock = Spec->getTemplateArgs()[0];
  const TemplateArgument &Duration = Spec->getTemplateArgs()[1];
  return Clock.getKind() == TemplateArgument::Type &&
         Duration.getKind() == TemplateArgument::Type &&
         Clock.getAsType()->isRecordType() &&
         isDurationType(Duration.getAsType());
}

//===----------------------------------------------------------------------===//
// Amounts
//===----------------------------------------------------------------------===//

std::optional<int64_t> Amount::nanoseconds() const {
  if (!exact())
    return std::nullopt;
  if (*Low >= 9.2e18)
    return std::numeric_limits<int64_t>::max();
  if (*Low <= -9.2e18)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(std::llround(*Low));
}

std::string formatDuration(double Ns) {
  struct {
    double Size;
    const char *Name;
  } static constexpr Units[] = {
      {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  double Magnitude = std::fabs(Ns);
  double Size = 1e9;
  const char *Name = "s";
  if (Magnitude >= 2 * 3600e9 && std::fmod(Magnitude, 3600e9) == 0) {
    Size = 3600e9, Name = "h";
  } else if (Magnitude >= 120e9 && std::fmod(Magnitude, 60e9) == 0) {
    Size = 60e9, Name = "min";
  } else if (Magnitude > 0) {
    for (const auto &U : Units) {
      Size = U.Size, Name = U.Name;
      if (Magnitude >= U.Size)
        break;
    }
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << llvm::format("%.3f", Ns / Size);
  while (Text.back() == '0')
    Text.pop_back();
  if (Text.back() == '.')
    Text.pop_back();
  return Text + " " + Name;
}

/// Keeps where the values came from when two amounts become one.
static void inherit(Amount &Result, const Amount &From) {
  for (const AmountOrigin &O : From.Origins)
    if (Result.Origins.size() < 4 &&
        llvm::none_of(Result.Origins, [&](const AmountOrigin &Known) {
          return Known.Name == O.Name;
        }))
      Result.Origins.push_back(O);
  Result.ByDefault |= From.ByDefault;
  if (!Result.DependsOn)
    Result.DependsOn = From.DependsOn;
}

/// What the type of a result does to its value: integers have no fraction, a
/// duration over integers no fraction of its unit.
static void truncateTo(QualType T, Amount &A) {
  double Unit = 1;
  if (auto Shape = durationShape(T)) {
    if (!Shape->Rep->isIntegralOrEnumerationType())
      return;
    Unit = Shape->Unit;
  } else if (T->isBooleanType() || !T->isIntegralOrEnumerationType()) {
    return;
  }
  // Ratios such as 1/3 leave rounding noise that must not lose a whole unit.
  auto Cut = [&](std::optional<double> &V) {
    if (V)
      V = std::trunc(*V / Unit + (*V < 0 ? -1e-9 : 1e-9)) * Unit;
  };
  Cut(A.Low);
  Cut(A.High);
}

static std::optional<double> lower(std::optional<double> A,
                                   std::optional<double> B) {
  return A && B ? std::optional(std::min(*A, *B)) : std::nullopt;
}
static std::optional<double> upper(std::optional<double> A,
                                   std::optional<double> B) {
  return A && B ? std::optional(std::max(*A, *B)) : std::nullopt;
}
static std::optional<double> known(std::optional<double> A,
                                   std::optional<double> B, bool Less) {
  if (!A || !B)
    return A ? A : B;
  return Less ? std::min(*A, *B) : std::max(*A, *B);
}

static Amount smaller(const Amount &A, const Amount &B) {
  Amount R;
  R.Low = lower(A.Low, B.Low);
  R.High = known(A.High, B.High, /*Less=*/true);
  R.FromNow = A.FromNow || B.FromNow;
  inherit(R, A);
  inherit(R, B);
  return R;
}

static Amount larger(const Amount &A, const Amount &B) {
  Amount R;
  R.Low = known(A.Low, B.Low, /*Less=*/false);
  R.High = upper(A.High, B.High);
  R.FromNow = A.FromNow || B.FromNow;
  inherit(R, A);
  inherit(R, B);
  return R;
}

static Amount either(const Amount &A, const Amount &B) {
  Amount R;
  R.Low = lower(A.Low, B.Low);
  R.High = upper(A.High, B.High);
  R.FromNow = A.FromNow && B.FromNow;
  inherit(R, A);
  inherit(R, B);
  return R;
}

static Amount compute(BinaryOperatorKind Op, const Amount &A, const Amount &B) {
  Amount R;
  auto Truth = [&](std::optional<bool> Value) {
    if (Value)
      R.Low = R.High = *Value ? 1 : 0;
  };
  bool BothExact = A.exact() && B.exact();
  switch (Op) {
  case BO_Add:
    if (A.Low && B.Low)
      R.Low = *A.Low + *B.Low;
    if (A.High && B.High)
      R.High = *A.High + *B.High;
    break;
  case BO_Sub:
    if (A.Low && B.High)
      R.Low = *A.Low - *B.High;
    if (A.High && B.Low)
      R.High = *A.High - *B.Low;
    break;
  case BO_Mul:
    if (A.Low && A.High && B.Low && B.High) {
      double P[] = {*A.Low * *B.Low, *A.Low * *B.High, *A.High * *B.Low,
                    *A.High * *B.High};
      R.Low = *std::min_element(P, P + 4);
      R.High = *std::max_element(P, P + 4);
    }
    break;
  case BO_Div:
    if (B.exact() && *B.Low != 0 && A.Low && A.High) {
      R.Low = std::min(*A.Low / *B.Low, *A.High / *B.Low);
      R.High = std::max(*A.Low / *B.Low, *A.High / *B.Low);
    }
    break;
  case BO_Rem:
    if (BothExact && *B.Low != 0)
      R.Low = R.High = std::fmod(*A.Low, *B.Low);
    break;
  case BO_Shl:
    if (BothExact && *B.Low >= 0 && *B.Low < 64)
      R.Low = R.High = *A.Low * std::pow(2.0, *B.Low);
    break;
  case BO_Shr:
    if (BothExact && *B.Low >= 0 && *B.Low < 64)
      R.Low = R.High = std::floor(*A.Low / std::pow(2.0, *B.Low));
    break;
  case BO_LT:
  case BO_GE:
    if (A.High && B.Low && *A.High < *B.Low)
      Truth(Op == BO_LT);
    else if (A.Low && B.High && *A.Low >= *B.High)
      Truth(Op == BO_GE);
    break;
  case BO_GT:
  case BO_LE:
    if (A.Low && B.High && *A.Low > *B.High)
      Truth(Op == BO_GT);
    else if (A.High && B.Low && *A.High <= *B.Low)
      Truth(Op == BO_LE);
    break;
  case BO_EQ:
  case BO_NE:
    if (BothExact)
      Truth((*A.Low == *B.Low) == (Op == BO_EQ));
    break;
  case BO_LAnd:
  case BO_LOr: {
    bool Decisive = Op == BO_LOr;
    for (const Amount *Side : {&A, &B})
      if (Side->exact() && (*Side->Low != 0) == Decisive)
        Truth(Decisive);
    if (!R.Low && BothExact)
      Truth(!Decisive);
    break;
  }
  default:
    break;
  }
  inherit(R, A);
  inherit(R, B);
  return R;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

Amount Durations::apply(BinaryOperatorKind Op, const Amount &A, const Amount &B,
                        QualType Type) {
  Amount R = compute(Op, A, B);
  truncateTo(Type, R);
  return R;
}

bool Durations::isNow(const Expr &E) const {
  const auto *Call = dyn_cast<CallExpr>(stripped(&E));
  if (!Call)
    return false;
  if (const Entry *Clock = Context.roles().find(Call, Role::ClockNow))
    return Clock->Duration.empty();
  // Every clock type has this function, the user's own ones too.
  const FunctionDecl *F = Call->getDirectCallee();
  return F && F->getIdentifier() && F->getName() == "now" &&
         Call->getNumArgs() == 0 && isTimePointType(Call->getType());
}

bool Durations::asksNumberClock(const Expr *E) const {
  bool Found = false;
  walkWritten(E, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    Found |= Call && Call->getType()->isArithmeticType() &&
             Context.roles().find(Call, Role::ClockNow);
    return !Found;
  });
  return Found;
}

Amount Durations::fold(const Expr *E, const Bindings *Bound) {
  return foldImpl(E, Bound, 0);
}

Amount Durations::foldTime(const Expr *E, double NumberUnit,
                           const Bindings *Bound) {
  Amount A = foldImpl(E, Bound, 0);
  if (!E || !stripped(E)->getType()->isArithmeticType())
    return A;
  // The unit belongs to the number, so to its origins as well.
  if (NumberUnit == 0)
    return Amount::unknown(A.DependsOn);
  if (A.Low)
    A.Low = *A.Low * NumberUnit;
  if (A.High)
    A.High = *A.High * NumberUnit;
  for (AmountOrigin &O : A.Origins) {
    O.Value *= NumberUnit;
    O.IsDuration = true;
  }
  return A;
}

Amount Durations::initialValue(const VarDecl &Var, const Bindings *Bound) {
  if (const auto *Parm = dyn_cast<ParmVarDecl>(&Var)) {
    if (!Parm->hasDefaultArg() || Parm->hasUninstantiatedDefaultArg() ||
        Parm->hasUnparsedDefaultArg())
      return Amount::unknown(&Var);
    Amount A = foldImpl(Parm->getDefaultArg(), Bound, 1);
    A.ByDefault = true;
    return A;
  }
  const VarDecl *Def = nullptr;
  const Expr *Init = Var.getAnyInitializer(Def);
  if (!Init)
    return Amount::unknown(&Var);
  return foldImpl(Init, Bound, 1);
}

Amount Durations::foldVariable(const ValueDecl &D, const Bindings *Bound,
                               unsigned Depth) {
  if (Bound) {
    auto It = Bound->find(&D);
    if (It != Bound->end())
      return It->second;
  }
  auto Named = [&](Amount A) {
    if (A.exact())
      A.Origins.insert(A.Origins.begin(), {&D, *A.Low,
                                           isDurationType(D.getType()) ||
                                               isTimePointType(D.getType())});
    else if (!A.DependsOn)
      A.DependsOn = &D;
    return A;
  };
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(&D))
    return Named(Amount::of(Enumerator->getInitVal().signedRoundToDouble()));
  if (const auto *Field = dyn_cast<FieldDecl>(&D)) {
    const Expr *Init = Field->getInClassInitializer();
    if (!Init)
      return Amount::unknown(&D);
    Amount A = foldImpl(Init, nullptr, Depth + 1);
    A.ByDefault |= !Field->getType().isConstQualified();
    return Named(A);
  }
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (!Var)
    return Amount::unknown(&D);
  if (isa<ParmVarDecl>(Var)) {
    if (!isNeverModified(*Var))
      return Amount::unknown(&D);
    return Named(initialValue(*Var, Bound));
  }
  const VarDecl *Def = nullptr;
  const Expr *Init = Var->getAnyInitializer(Def);
  if (!Init || Init->isValueDependent())
    return Amount::unknown(&D);
  bool Const = Var->isConstexpr() ||
               Var->getType().getNonReferenceType().isConstQualified();
  bool Fixed = Const || (Var->isLocalVarDecl() && isNeverModified(*Var));
  if (!Fixed && Var->isLocalVarDecl())
    return Amount::unknown(&D);
  Amount A = foldImpl(Init, Bound, Depth + 1);
  A.ByDefault |= !Fixed;
  return Named(A);
}

/// Rep of a constant of duration type in an APValue.
static std::optional<double> numberIn(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return V.getInt().signedRoundToDouble();
  case APValue::Float:
    return V.getFloat().convertToDouble();
  case APValue::Struct:
    if (V.getStructNumFields() == 1 && V.getStructNumBases() == 0)
      return numberIn(V.getStructField(0));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Amount Durations::evaluate(const Expr &E) {
  QualType T = E.getType();
  auto Shape = durationShape(T);
  if (E.isValueDependent() || E.isTypeDependent() ||
      !(Shape || T->isArithmeticType() || T->isEnumeralType()))
    return Amount::unknown();
  Expr::EvalResult Result;
  if (!E.EvaluateAsRValue(Result, Context.ast()) || Result.HasSideEffects)
    return Amount::unknown();
  std::optional<double> Number = numberIn(Result.Val);
  if (!Number)
    return Amount::unknown();
  return Amount::of(*Number * (Shape ? Shape->Unit : 1));
}

Amount Durations::foldCall(const CallExpr &Call, const Bindings *Bound,
                           unsigned Depth) {
  auto Fold = [&](const Expr *E) { return foldImpl(E, Bound, Depth + 1); };
  if (isNow(Call)) {
    Amount A = Amount::of(0);
    A.FromNow = true;
    return A;
  }
  // A point in time made out of the time until then.
  const Entry *Clock = Context.roles().find(&Call, Role::ClockNow);
  if (const Expr *Ahead =
          Clock ? Context.roles().argument(Call, Clock->Duration) : nullptr) {
    Amount A = foldTime(Ahead, Clock->NumberUnit, Bound);
    A.FromNow = true;
    return A;
  }
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    if (Op->getNumArgs() == 1 && Op->getOperator() == OO_Minus)
      return compute(BO_Sub, Amount::of(0), Fold(Op->getArg(0)));
    if (Op->getNumArgs() == 2 && !Op->isAssignmentOp() &&
        Op->getOperator() != OO_Call && Op->getOperator() != OO_Subscript &&
        Op->getOperator() != OO_Spaceship && (Op->isInfixBinaryOp())) {
      Amount A = Fold(Op->getArg(0)), B = Fold(Op->getArg(1));
      BinaryOperatorKind Kind =
          BinaryOperator::getOverloadedOpcode(Op->getOperator());
      // The rest of a deadline is at most what it was set to.
      if (Kind == BO_Sub && isTimePointType(Op->getArg(0)->getType()) &&
          isTimePointType(Op->getArg(1)->getType())) {
        Amount R;
        if (A.FromNow && B.FromNow)
          R = smaller(A, Amount::unknown());
        inherit(R, A);
        R.FromNow = false;
        return R;
      }
      Amount R = compute(Kind, A, B);
      R.FromNow = (A.FromNow || B.FromNow) && isTimePointType(Op->getType());
      truncateTo(Op->getType(), R);
      return R;
    }
  }
  const FunctionDecl *F = Call.getDirectCallee();
  if (!F || !F->getIdentifier())
    return evaluate(Call);
  llvm::StringRef Name = F->getName();
  auto Args = argumentsOf(Call);
  if (Name == "min" || Name == "max") {
    llvm::SmallVector<const Expr *, 4> Items;
    if (Args.size() >= 2) {
      Items.append(Args.begin(), Args.begin() + 2);
    } else if (Args.size() == 1) {
      const Expr *List = stripped(Args[0]);
      if (const auto *Std = dyn_cast<CXXStdInitializerListExpr>(List))
        List = stripped(Std->getSubExpr());
      if (const auto *Init = dyn_cast<InitListExpr>(List))
        Items.append(Init->inits().begin(), Init->inits().end());
    }
    if (!Items.empty()) {
      Amount R = Fold(Items[0]);
      for (const Expr *Item : llvm::drop_begin(Items))
        R = Name == "min" ? smaller(R, Fold(Item)) : larger(R, Fold(Item));
      return R;
    }
  }
  if (Name == "clamp" && Args.size() >= 3)
    return smaller(larger(Fold(Args[0]), Fold(Args[1])), Fold(Args[2]));
  bool TimeResult =
      isDurationType(Call.getType()) || isTimePointType(Call.getType());
  if (TimeResult && Args.size() == 1) {
    bool TimeArgument = isDurationType(Args[0]->getType()) ||
                        isTimePointType(Args[0]->getType());
    if (TimeArgument && (Name == "duration_cast" || Name == "floor" ||
                         Name == "time_point_cast")) {
      Amount A = Fold(Args[0]);
      truncateTo(Call.getType(), A);
      return A;
    }
    // Less than one unit off.
    if (TimeArgument && (Name == "ceil" || Name == "round" || Name == "abs"))
      return Fold(Args[0]);
  }
  if (const Expr *Object = objectOf(Call); Object && Name == "count") {
    if (auto Shape = durationShape(Object->getType())) {
      Amount A = Fold(Object);
      Amount R = compute(BO_Div, A, Amount::of(Shape->Unit));
      return R;
    }
  }
  Amount Constant = evaluate(Call);
  if (Constant.exact())
    return Constant;
  // A function of this file that only computes a value.
  const FunctionBody *Body = Context.get<Coroutines>().body(F);
  const auto *Block = Body && !Body->isCoroutine()
                          ? dyn_cast_or_null<CompoundStmt>(Body->body())
                          : nullptr;
  if (Block && Block->size() == 1 && Depth < 8)
    if (const auto *Return = dyn_cast<ReturnStmt>(Block->body_front())) {
      Bindings Inner;
      for (unsigned I = 0; I < Args.size() && I < F->getNumParams(); ++I)
        Inner[Body->function().getParamDecl(I)] = Fold(Args[I]);
      Amount A = foldImpl(Return->getRetValue(), &Inner, Depth + 4);
      if (!A.exact())
        A.DependsOn = F;
      return A;
    }
  return Amount::unknown(F);
}

Amount Durations::foldImpl(const Expr *E, const Bindings *Bound,
                           unsigned Depth) {
  E = stripped(E);
  if (!E || Depth > 16 || E->isTypeDependent() || E->isValueDependent())
    return Amount::unknown();
  auto Fold = [&](const Expr *Part) {
    return foldImpl(Part, Bound, Depth + 1);
  };
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr,
          UserDefinedLiteral, UnaryExprOrTypeTraitExpr, SizeOfPackExpr>(E))
    return evaluate(*E);
  if (isa<CXXNullPtrLiteralExpr, CXXScalarValueInitExpr, ImplicitValueInitExpr,
          GNUNullExpr>(E))
    return Amount::of(0);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return foldVariable(*Ref->getDecl(), Bound, Depth);
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    // A constant object's member is better known than its class's default.
    Amount Constant = evaluate(*E);
    if (Constant.exact()) {
      Constant.Origins.push_back({Member->getMemberDecl(), *Constant.Low,
                                  isDurationType(E->getType())});
      return Constant;
    }
    return foldVariable(*Member->getMemberDecl(), Bound, Depth);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    Amount A = Fold(Unary->getSubExpr());
    switch (Unary->getOpcode()) {
    case UO_Minus:
      return compute(BO_Sub, Amount::of(0), A);
    case UO_Plus:
      return A;
    case UO_LNot:
      return compute(BO_EQ, A, Amount::of(0));
    default:
      return Amount::unknown(A.DependsOn);
    }
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isAssignmentOp() || Binary->isPtrMemOp())
      return Amount::unknown();
    if (Binary->getOpcode() == BO_Comma)
      return Fold(Binary->getRHS());
    return apply(Binary->getOpcode(), Fold(Binary->getLHS()),
                 Fold(Binary->getRHS()), Binary->getType());
  }
  if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(E)) {
    auto Form = Rewritten->getDecomposedForm();
    return compute(Form.Opcode, Fold(Form.LHS), Fold(Form.RHS));
  }
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E)) {
    Amount Condition = Fold(Conditional->getCond());
    if (Condition.exact())
      return Fold(*Condition.Low != 0 ? Conditional->getTrueExpr()
                                      : Conditional->getFalseExpr());
    return either(Fold(Conditional->getTrueExpr()),
                  Fold(Conditional->getFalseExpr()));
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    auto Shape = durationShape(E->getType());
    if (Shape && Construct->getNumArgs() == 0)
      return Amount::of(0);
    if (!Shape && !isTimePointType(E->getType()))
      return Amount::unknown();
    if (Construct->getNumArgs() == 0)
      return Amount::unknown();
    const Expr *Arg = Construct->getArg(0);
    Amount A = Fold(Arg);
    if (Shape && stripped(Arg)->getType()->isArithmeticType()) {
      A = compute(BO_Mul, A, Amount::of(Shape->Unit));
      for (AmountOrigin &O : A.Origins) {
        if (!O.IsDuration) {
          O.Value *= Shape->Unit;
          O.IsDuration = true;
        }
      }
    } else if (!Shape && !isTimePointType(Arg->getType())) {
      return Amount::unknown(); // a date, not a distance from now
    }
    return A;
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (List->getNumInits() == 0)
      return Amount::of(0);
    if (List->getNumInits() == 1)
      return Fold(List->getInit(0));
    return Amount::unknown();
  }
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E)) {
    Amount A = Fold(Cast->getSubExpr());
    truncateTo(Cast->getType(), A);
    return A;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return foldCall(*Call, Bound, Depth);
  return evaluate(*E);
}

//===----------------------------------------------------------------------===//
// What changes a variable
//===----------------------------------------------------------------------===//

/// \p Ref, somewhere in \p Body, may change what it names.
static bool mayModify(const FunctionBody &Body, const Expr *Ref) {
  const Stmt *Below = Ref;
  for (const Stmt *P = Body.parent(Ref); P; Below = P, P = Body.parent(P)) {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(P)) {
      if (Cast->getCastKind() == CK_LValueToRValue ||
          Cast->getType().isConstQualified())
        return false;
      continue;
    }
    if (isa<ParenExpr>(P))
      continue;
    if (const auto *Member = dyn_cast<MemberExpr>(P)) {
      const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl());
      if (Method)
        return !Method->isConst() && !Method->isStatic();
      continue;
    }
    // A reference capture: what the lambda does with it is looked at there.
    if (isa<LambdaExpr>(P))
      return false;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(P)) {
      if (Construct->getConstructor()->isCopyOrMoveConstructor())
        return false;
    }
    if (const auto *Call = dyn_cast<CallExpr>(P)) {
      const FunctionDecl *F = Call->getDirectCallee();
      const FunctionTemplateDecl *Template =
          F ? F->getPrimaryTemplate() : nullptr;
      if (!Template)
        return true;
      // A forwarding reference takes what it gets; it rarely writes to it.
      for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
        if (Call->getArg(I) != Below)
          continue;
        const FunctionDecl *Pattern = Template->getTemplatedDecl();
        unsigned Index = std::min(I, Pattern->getNumParams() - 1);
        return Pattern->getNumParams() == 0 || !Pattern->getParamDecl(Index)
                                                    ->getType()
                                                    ->isRValueReferenceType();
      }
      return true;
    }
    if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt>(P))
      return false;
    return true;
  }
  return false;
}

bool Durations::isNeverModified(const VarDecl &Var) {
  auto Known = NeverModified.find(&Var);
  if (Known != NeverModified.end())
    return Known->second;
  Coroutines &All = Context.get<Coroutines>();
  const auto *Owner = dyn_cast_or_null<FunctionDecl>(Var.getDeclContext());
  const FunctionBody *Body = Owner ? All.body(Owner) : nullptr;
  bool Fixed = Body != nullptr;
  llvm::SmallVector<const FunctionBody *, 4> Pending;
  if (Body)
    Pending.push_back(Body);
  while (Fixed && !Pending.empty()) {
    const FunctionBody *In = Pending.pop_back_val();
    for (const Stmt *S : In->statements()) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
        if (Ref->getDecl() == &Var && mayModify(*In, Ref)) {
          Fixed = false;
          break;
        }
      } else if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
        if (llvm::any_of(Lambda->captures(), [&](const LambdaCapture &C) {
              return C.capturesVariable() && C.getCapturedVar() == &Var &&
                     C.getCaptureKind() == LCK_ByRef;
            }))
          if (const FunctionBody *Inner = All.body(Lambda->getCallOperator()))
            Pending.push_back(Inner);
      }
    }
  }
  NeverModified[&Var] = Fixed;
  return Fixed;
}

} // namespace async_tidy
