//===--- CancellationState.cpp --------------------------------------------===//

#include "CancellationState.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace async_tidy {

static Meaning fromBool(std::optional<bool> B) {
  return !B ? Meaning::Unknown : *B ? Meaning::True : Meaning::False;
}

static std::optional<bool> negated(std::optional<bool> B) {
  return B ? std::optional<bool>(!*B) : B;
}

/// A string: what `what()` and `message()` give, and what is built from it.
static bool isText(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    return T->getPointeeType()->isAnyCharacterType();
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  return RD && RD->isInStdNamespace() &&
         (RD->getName() == "basic_string" ||
          RD->getName() == "basic_string_view" ||
          RD->getName() == "basic_stringstream" ||
          RD->getName() == "basic_ostringstream");
}

bool isOwnFlag(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && Var->getType()->isBooleanType() &&
         !Ref->refersToEnclosingVariableOrCapture();
}

bool CancellationEvaluator::isCancellationType(QualType T) const {
  return Roles.findType(T, Role::CancellationType) != nullptr;
}

bool CancellationEvaluator::namesCancellation(const Expr *E) const {
  bool Found = false;
  walkWritten(E, [&](const Stmt &S) {
    if (const auto *Part = dyn_cast<Expr>(&S)) {
      if (isa<DeclRefExpr, MemberExpr>(Part) &&
          Roles.find(Part, Role::CancellationCode))
        Found = true;
      else if (isa<IntegerLiteral>(Part) && Part->getBeginLoc().isMacroID())
        // The `errno` codes are macros.
        Found = Roles.models().find(Lexer::getImmediateMacroName(
                                        Part->getBeginLoc(),
                                        Roles.context().getSourceManager(),
                                        Roles.context().getLangOpts()),
                                    Role::CancellationCode) != nullptr;
      else if (isa<CXXConstructExpr, CXXScalarValueInitExpr, InitListExpr>(
                   Part) &&
               isCancellationType(Part->getType()))
        Found = true;
      else if (const auto *Call = dyn_cast<CallExpr>(Part))
        // make_exception<operation_cancelled>()
        if (const FunctionDecl *F = Call->getDirectCallee())
          if (const TemplateArgumentList *Args =
                  F->getTemplateSpecializationArgs())
            for (const TemplateArgument &Arg : Args->asArray())
              Found |= Arg.getKind() == TemplateArgument::Type &&
                       isCancellationType(Arg.getAsType());
    }
    return !Found;
  });
  return Found;
}

bool CancellationEvaluator::isLogging(const Expr &E) const {
  if (Roles.find(&E, Role::Logging))
    return true;
  if (const Expr *Object = objectOf(E))
    if (Roles.findType(stripped(Object)->getType(), Role::Logging))
      return true;
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E))
    if (Op->getOperator() == OO_LessLess && Op->getNumArgs() == 2)
      return true;
  return isa<CXXConstructExpr>(E) && Roles.findType(E.getType(), Role::Logging);
}

std::optional<bool> CancellationEvaluator::truth(Meaning M, QualType T) const {
  switch (M) {
  case Meaning::True:
    return true;
  case Meaning::False:
  case Meaning::Nothing:
    return false;
  case Meaning::Text:
  case Meaning::Unknown:
    return std::nullopt;
  case Meaning::Cancellation:
    break;
  }
  for (Role R : {Role::ErrorHolder, Role::ErrorCode})
    if (const Entry *Holder = Roles.findType(T, R))
      return Holder->MeansFailure;
  // A code, or an error of the project's own: anything but zero.
  return true;
}

std::optional<bool> CancellationEvaluator::equality(const Expr *L,
                                                    const Expr *R,
                                                    const CancellationState &S,
                                                    CallMeaning Call) const {
  Meaning ML = evaluate(L, S, Call), MR = evaluate(R, S, Call);
  if (MR == Meaning::Cancellation) {
    std::swap(L, R);
    std::swap(ML, MR);
  }
  if (ML == Meaning::Cancellation) {
    if (MR == Meaning::Cancellation || namesCancellation(R))
      return true;
    if (MR == Meaning::Nothing)
      return false;
    const Expr *Other = stripped(R);
    if (const auto *Literal = dyn_cast<IntegerLiteral>(Other))
      if (Literal->getValue() == 0)
        return false;
    // A code that the models do not know as a cancellation is another one.
    bool NamesCode = false;
    walkWritten(Other, [&](const Stmt &Part) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
        NamesCode |= isa<EnumConstantDecl>(Ref->getDecl()) ||
                     (isa<VarDecl>(Ref->getDecl()) &&
                      cast<VarDecl>(Ref->getDecl())->hasGlobalStorage());
      return true;
    });
    if (NamesCode)
      return false;
    if (const auto *Made = dyn_cast<CXXConstructExpr>(Other))
      if (Made->getNumArgs() == 0)
        return false;
    return std::nullopt;
  }
  auto Known = [](Meaning M) {
    return M == Meaning::True || M == Meaning::False;
  };
  if (Known(ML) && Known(MR))
    return ML == MR;
  if (ML == Meaning::Nothing && MR == Meaning::Nothing)
    return true;
  return std::nullopt;
}

bool CancellationEvaluator::isErrorType(QualType T) const {
  for (Role R : {Role::ErrorHolder, Role::ErrorCode, Role::CodeException,
                 Role::CancellationType})
    if (Roles.findType(T, R))
      return true;
  return false;
}

std::optional<bool>
CancellationEvaluator::asksForType(const CallExpr &E) const {
  const FunctionDecl *F = E.getDirectCallee();
  const TemplateArgumentList *Args =
      F ? F->getTemplateSpecializationArgs() : nullptr;
  if (!Args)
    return std::nullopt;
  for (const TemplateArgument &Arg : Args->asArray()) {
    if (Arg.getKind() != TemplateArgument::Type)
      continue;
    const CXXRecordDecl *Asked = Arg.getAsType()->getAsCXXRecordDecl();
    if (!Asked || !Asked->hasDefinition())
      continue;
    if (isCancellationType(Arg.getAsType()))
      return true;
    return llvm::any_of(Thrown, [&](const ThrownCancellation &T) {
      return T.Class && isSameOrBase(Asked, T.Class);
    });
  }
  return std::nullopt;
}

Meaning CancellationEvaluator::evaluateCall(const CallExpr &E,
                                            const CancellationState &S,
                                            CallMeaning Call) const {
  auto Args = argumentsOf(E);
  const Expr *Object = objectOf(E);
  auto IsCancellation = [&](const Expr *Part) {
    return Part && evaluate(Part, S, Call) == Meaning::Cancellation;
  };
  bool AnyArg = llvm::any_of(Args, IsCancellation);
  bool OnObject = IsCancellation(Object);

  for (const Entry *En : Roles.entries(&E)) {
    switch (En->Kind) {
    case Role::CancellationTest:
      return Meaning::True;
    case Role::CancellationClassifier:
      if (AnyArg || OnObject)
        return fromBool(asksForType(E).value_or(true));
      break;
    case Role::ErrorAccess:
      if (Args.empty() && !Object)
        return S.Handling ? Meaning::Cancellation : Meaning::Nothing;
      if (AnyArg || OnObject)
        return Meaning::Cancellation;
      break;
    case Role::ErrorTest:
      if (AnyArg || OnObject) {
        if (std::optional<bool> ByType = asksForType(E))
          return fromBool(ByType);
        // An optional or a pointer to an error has a value when there is one.
        if (OnObject && !En->MeansFailure &&
            !isErrorType(stripped(Object)->getType()))
          return Meaning::True;
        return fromBool(En->MeansFailure);
      }
      break;
    case Role::CancellationRaise:
      if (AnyArg || OnObject || llvm::any_of(Args, [&](const Expr *A) {
            return namesCancellation(A);
          }))
        return Meaning::Cancellation;
      break;
    default:
      break;
    }
  }

  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(&E)) {
    switch (Op->getOperator()) {
    case OO_EqualEqual:
    case OO_ExclaimEqual: {
      std::optional<bool> Equal =
          equality(Op->getArg(0), Op->getArg(1), S, Call);
      return fromBool(Op->getOperator() == OO_EqualEqual ? Equal
                                                         : negated(Equal));
    }
    case OO_Exclaim: {
      std::optional<bool> B =
          truth(evaluate(Op->getArg(0), S, Call), Op->getArg(0)->getType());
      return fromBool(negated(B));
    }
    case OO_Star:
    case OO_Arrow:
    case OO_Subscript:
      return IsCancellation(Op->getArg(0)) ? Meaning::Cancellation
                                           : Meaning::Unknown;
    default:
      break;
    }
  }
  // `operator bool` and other conversions.
  if (const auto *Conversion =
          dyn_cast_or_null<CXXConversionDecl>(E.getDirectCallee()))
    if (Object) {
      Meaning M = evaluate(Object, S, Call);
      if (Conversion->getConversionType()->isBooleanType())
        return fromBool(truth(M, stripped(Object)->getType()));
      return M;
    }
  // `make_pair(code, e.what())`
  if (const FunctionDecl *F = E.getDirectCallee();
      F && F->isInStdNamespace() && F->getIdentifier() &&
      F->getName().starts_with("make_") &&
      llvm::any_of(Args, [&](const Expr *Arg) {
        return evaluate(Arg, S, Call) == Meaning::Text;
      }))
    return Meaning::Text;
  if (!AnyArg && !OnObject)
    return Call(E, S).value_or(Meaning::Unknown);
  if (isText(E.getType()))
    return Meaning::Text;
  if (OnObject) {
    // A list of errors has this one in it.
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(calleeOf(E));
    if (Method && Method->getIdentifier() && Method->getName() == "empty")
      return Meaning::False;
    // `e.code()`, `t.error()`, `list.front()`: part of it, or how many.
    return E.getType()->isBooleanType() ? Meaning::Unknown
                                        : Meaning::Cancellation;
  }
  if (std::optional<Meaning> Inside = Call(E, S))
    return *Inside;
  if (E.getType()->isBooleanType() || E.getType()->isVoidType())
    return Meaning::Unknown;
  // An error made from an error: `make_error(ec)`, `std::get<0>(result)`, and
  // what a factory builds from a whole one: `Result::failed(eptr)`.
  bool FromWhole = llvm::any_of(Args, [&](const Expr *A) {
    return IsCancellation(A) && isErrorType(stripped(A)->getType());
  });
  return isErrorType(E.getType()) ||
                 (FromWhole && E.getType()->getAsCXXRecordDecl())
             ? Meaning::Cancellation
             : Meaning::Unknown;
}

Meaning CancellationEvaluator::evaluate(const Expr *E,
                                        const CancellationState &S,
                                        CallMeaning Call) const {
  E = stripped(E);
  if (!E)
    return Meaning::Unknown;
  if (E == Source)
    return Meaning::Cancellation;
  if (const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(E))
    return fromBool(Bool->getValue());
  if (isa<CXXNullPtrLiteralExpr>(E))
    return Meaning::Nothing;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (!isOwnFlag(*E) && Roles.find(E, Role::CancellationTest))
      return Meaning::True;
    Meaning M = S.of(Ref->getDecl());
    if (M == Meaning::Unknown)
      if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
        if (S.of(Binding->getDecomposedDecl()) == Meaning::Cancellation &&
            Roles.findType(Ref->getType(), Role::ErrorCode))
          return Meaning::Cancellation;
    return M;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Roles.find(E, Role::CancellationTest))
      return Meaning::True;
    if (isa<CXXThisExpr>(stripped(Member->getBase())))
      return S.of(Member->getMemberDecl());
    // A flag in a local struct.
    if (Meaning M = S.of(Member->getMemberDecl());
        M != Meaning::Unknown && isa<DeclRefExpr>(stripped(Member->getBase())))
      return M;
    // A number beside the error in a struct is not the error.
    QualType Base = Member->getBase()->getType();
    if (Base->isPointerType())
      Base = Base->getPointeeType();
    if (E->getType()->isArithmeticType() && !isErrorType(Base))
      return Meaning::Unknown;
    return evaluate(Member->getBase(), S, Call) == Meaning::Cancellation
               ? Meaning::Cancellation
               : Meaning::Unknown;
  }
  // `a != b` may stand for `!(a == b)`.
  if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(E))
    return evaluate(Rewritten->getSemanticForm(), S, Call);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_LNot) {
      std::optional<bool> B = truth(evaluate(Unary->getSubExpr(), S, Call),
                                    stripped(Unary->getSubExpr())->getType());
      return fromBool(negated(B));
    }
    if (Unary->getOpcode() == UO_Deref || Unary->getOpcode() == UO_AddrOf)
      return evaluate(Unary->getSubExpr(), S, Call);
    return Meaning::Unknown;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    bool Unused = false;
    if (Binary->isEqualityOp()) {
      std::optional<bool> Equal =
          equality(Binary->getLHS(), Binary->getRHS(), S, Call);
      return fromBool(Binary->getOpcode() == BO_EQ ? Equal : negated(Equal));
    }
    if (Binary->isLogicalOp()) {
      auto L = condition(Binary->getLHS(), S, Call, Unused);
      auto R = condition(Binary->getRHS(), S, Call, Unused);
      bool Decides = Binary->getOpcode() == BO_LOr;
      if ((L && *L == Decides) || (R && *R == Decides))
        return fromBool(Decides);
      return L && R ? fromBool(!Decides) : Meaning::Unknown;
    }
    // `errors.size() > 0`
    if (Binary->isRelationalOp() &&
        evaluate(Binary->getLHS(), S, Call) == Meaning::Cancellation)
      if (const auto *Zero =
              dyn_cast<IntegerLiteral>(stripped(Binary->getRHS()));
          Zero && Zero->getValue() == 0)
        return fromBool(Binary->getOpcode() == BO_GT ||
                        Binary->getOpcode() == BO_GE);
    if (Binary->isAssignmentOp() || Binary->getOpcode() == BO_Comma)
      return evaluate(Binary->getRHS(), S, Call);
    return Meaning::Unknown;
  }
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E)) {
    bool Unused = false;
    auto C = condition(Conditional->getCond(), S, Call, Unused);
    if (C)
      return evaluate(*C ? Conditional->getTrueExpr()
                         : Conditional->getFalseExpr(),
                      S, Call);
    Meaning T = evaluate(Conditional->getTrueExpr(), S, Call);
    return T == evaluate(Conditional->getFalseExpr(), S, Call)
               ? T
               : Meaning::Unknown;
  }
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E)) {
    Meaning M = evaluate(Cast->getSubExpr(), S, Call);
    if (Cast->getType()->isBooleanType())
      return fromBool(truth(M, stripped(Cast->getSubExpr())->getType()));
    if (M == Meaning::Cancellation && isa<CXXDynamicCastExpr>(Cast)) {
      QualType To = Cast->getTypeAsWritten().getNonReferenceType();
      if (To->isPointerType())
        To = To->getPointeeType();
      if (!isCancellationType(To) && !Roles.findType(To, Role::CodeException))
        return Meaning::Nothing;
    }
    return M;
  }
  if (const auto *Call_ = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call_, S, Call);
  auto FromParts = [&](auto Parts) {
    bool Text = false, Nothing = false, More = false;
    for (const Expr *Part : Parts) {
      Meaning M = evaluate(Part, S, Call);
      if (M == Meaning::Cancellation)
        return isText(E->getType()) ? Meaning::Text : M;
      Text |= M == Meaning::Text;
      (M == Meaning::Nothing ? Nothing : More) = true;
    }
    // `exception_ptr(nullptr)`
    if (Nothing && !More)
      return Meaning::Nothing;
    return Text ? Meaning::Text : Meaning::Unknown;
  };
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getNumArgs() == 0) {
      const CXXRecordDecl *Class = Construct->getConstructor()->getParent();
      bool Optional =
          Class->isInStdNamespace() && Class->getName() == "optional";
      return Optional || Roles.findType(E->getType(), Role::ErrorHolder) ||
                     Roles.findType(E->getType(), Role::ErrorCode)
                 ? Meaning::Nothing
                 : Meaning::Unknown;
    }
    return FromParts(Construct->arguments());
  }
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return FromParts(List->inits());
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(E))
    return evaluate(List->getSubExpr(), S, Call);
  if (const auto *Await = dyn_cast<CoawaitExpr>(E))
    return evaluate(Await->getOperand(), S, Call) == Meaning::Cancellation
               ? Meaning::Cancellation
               : Meaning::Unknown;
  return Meaning::Unknown;
}

std::optional<bool> CancellationEvaluator::condition(const Expr *E,
                                                     const CancellationState &S,
                                                     CallMeaning Call,
                                                     bool &UsesError) const {
  walkWritten(E, [&](const Stmt &Part) {
    const auto *Sub = dyn_cast<Expr>(&Part);
    if (!Sub)
      return true;
    if (isa<DeclRefExpr, MemberExpr, CallExpr>(Sub)) {
      Meaning M = evaluate(Sub, S, Call);
      UsesError |= M == Meaning::Cancellation;
    }
    return true;
  });
  return truth(evaluate(E, S, Call), stripped(E)->getType());
}

} // namespace async_tidy
